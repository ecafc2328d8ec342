// Output of the citemark renderer "json".  Made by `python -m citemark.schema`.

/** One citation of the answer. */
export interface CitationData {
  /** Id of the source; for a citation without one, the key as the model wrote it. */
  sourceKey: string;
  /** Title, or else host, file name or id: one line. Null if there is nothing to tell. */
  title: string | null;
  /** A web or mail address that is safe to link to. Null if there is none. */
  url: string | null;
  /** Start of the passage, at most 400 code points. Null if there is none. */
  snippet: string | null;
  /** What the source is, as the caller named it: ``web``, ``pdf``, ... */
  documentType: string | null;
  /** Relevance in the scale of the retriever. */
  relevanceScore: number | null;
  /** Page of the passage, from 1, or its name. */
  page: number | string | null;
  /** Number that is shown, from 1. Null if there is no such source. */
  displayNumber: number | null;
  /** 1 for the first citation with this number, 2 for the second, ...; 0 without number. */
  occurrence: number;
  /** Places in the source that the model names; not there if it names none. */
  locations?: Array<LocationData>;
}

/** A citation in its place. */
export interface CitationPart {
  /** Tells the kinds of segments apart. */
  type: "citation";
  /** What to show. */
  citation: CitationData;
  /** Words that the citation supports, if the model marks them: half-open, in code points of the answer as the model wrote it. */
  span?: [number, number];
}

/** A place in a source. */
export interface LocationData {
  /** What is counted. */
  unit: "page" | "line" | "sentence" | "char" | "block" | "time";
  /** First one: pages and lines from 1; code points, blocks and milliseconds from 0. */
  start: number;
  /** One after the last: lines 8 to 13 end with 14. */
  end: number;
}

/** An entry of the source list; grouped sources share a number. */
export interface SourceData {
  /** Id of the source; for a citation without one, the key as the model wrote it. */
  sourceKey: string;
  /** Title, or else host, file name or id: one line. Null if there is nothing to tell. */
  title: string | null;
  /** A web or mail address that is safe to link to. Null if there is none. */
  url: string | null;
  /** Start of the passage, at most 400 code points. Null if there is none. */
  snippet: string | null;
  /** What the source is, as the caller named it: ``web``, ``pdf``, ... */
  documentType: string | null;
  /** Relevance in the scale of the retriever. */
  relevanceScore: number | null;
  /** Page of the passage, from 1, or its name. */
  page: number | string | null;
  /** Number that is shown, from 1. */
  displayNumber: number;
}

/** A piece of the answer that is not a citation. */
export interface TextPart {
  /** Tells the kinds of segments apart. */
  type: "text";
  /** Markdown as the model wrote it: untrusted. */
  content: string;
}

/** An answer for a front end: output of the renderer ``json``. */
export interface SegmentsDocument {
  /** Version of this shape. */
  version: 1;
  /** Text and citations in order. */
  segments: Array<TextPart | CitationPart>;
  /** Cited sources, in order of number. */
  sources: Array<SourceData>;
}
