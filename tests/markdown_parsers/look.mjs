// Says what parsers find in texts of Markdown: read as lines of JSON on stdin, answered in order,
// each with a list of [parser, kind, content].
import { createInterface } from "node:readline";
import { marked } from "marked";
import remarkGfm from "remark-gfm";
import remarkMath from "remark-math";
import remarkParse from "remark-parse";
import { unified } from "unified";
import { visit } from "unist-util-visit";

const REMARKS = {
  remark: unified().use(remarkParse),
  "remark with GFM": unified().use(remarkParse).use(remarkGfm),
  "remark with formulas": unified().use(remarkParse).use(remarkGfm).use(remarkMath),
};
const KINDS = {
  html: (node) => ["html", node.value],
  image: (node) => ["image", node.url],
  imageReference: (node) => ["image", node.identifier],
  link: (node) => ["link", node.url],
  definition: (node) => ["definition", node.identifier],
  footnoteReference: (node) => ["footnote", node.identifier],
};

function inRemark(name, text) {
  const found = [];
  visit(REMARKS[name].parse(text), (node) => {
    if (node.type in KINDS) found.push([name, ...KINDS[node.type](node)]);
  });
  return found;
}

function inMarked(name, text, options) {
  const found = [];
  const tokens = marked.lexer(text, options);
  for (const label of Object.keys(tokens.links)) found.push([name, "definition", label]);
  marked.walkTokens(tokens, (token) => {
    if (token.type === "html") found.push([name, "html", token.raw]);
    if (token.type === "image") found.push([name, "image", token.href]);
    if (token.type === "link") found.push([name, "link", token.href]);
  });
  return found;
}

for await (const line of createInterface({ input: process.stdin })) {
  const text = JSON.parse(line);
  const found = [
    ...Object.keys(REMARKS).flatMap((name) => inRemark(name, text)),
    ...inMarked("marked", text, { gfm: true }),
    ...inMarked("marked, no GFM", text, { gfm: false }),
  ];
  process.stdout.write(`${JSON.stringify(found)}\n`);
}
