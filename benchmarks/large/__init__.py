"""Large responses and streams, by provider: as many citations as wanted, one a sentence."""

from large import amazon, blocks, google, openai, others

__all__ = ["SHAPES"]

SHAPES = {
    **amazon.SHAPES,
    **blocks.SHAPES,
    **google.SHAPES,
    **openai.SHAPES,
    **others.SHAPES,
}
