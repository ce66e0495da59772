// What is checked in the stage's JavaScript: mistakes, and a few habits. Layout is the author's.
import js from "@eslint/js";
import globals from "globals";

export default [
  { ignores: ["assets/vendor/{d3,gif,inflate,webm,zstd}.js", "assets/*.min.js", "tests/browser/vendor/", "node_modules/", ".venv/", "photos/"] },
  js.configs.recommended,
  {
    files: ["assets/**/*.js", "benchmarks/*.js"],
    languageOptions: { ecmaVersion: 2022, sourceType: "module", globals: globals.browser },
    linterOptions: { reportUnusedDisableDirectives: "error" },
    rules: {
      complexity: ["error", 20],
      eqeqeq: "error",
      "max-depth": ["error", 4],
      "no-console": ["error", { allow: ["error"] }],
      "no-implicit-globals": "error",
      "no-shadow": "error",
      "no-unused-vars": ["error", { argsIgnorePattern: "^_" }],
      "no-var": "error",
      "object-shorthand": "error",
      "prefer-const": "error",
    },
  },
];
