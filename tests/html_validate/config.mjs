// Rules for the pages that tests/test_html_validate.py writes.  Each one that is off has a reason.
export default {
  root: true,
  extends: ["html-validate:recommended"],
  rules: {
    // <br /> and <hr /> are written as in the examples of CommonMark, which are compared.
    "void-style": "off",
    // Lines of code keep what stands at their ends.
    "no-trailing-whitespace": "off",
    // A model may write "#" and nothing after it: CommonMark makes a heading of it.
    "empty-heading": "off",
  },
};
