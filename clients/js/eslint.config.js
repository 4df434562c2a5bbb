import tseslint from "typescript-eslint";

export default tseslint.config(
  { ignores: ["dist/", "build/", "eslint.config.js"] },
  tseslint.configs.strictTypeChecked,
  {
    languageOptions: { parserOptions: { project: "./test/tsconfig.json" } },
    rules: {
      // Numbers in texts are how addresses and messages are written.
      "@typescript-eslint/restrict-template-expressions": ["error", { allowNumber: true }],
      // The test runner waits for its own.
      "@typescript-eslint/no-floating-promises": [
        "error",
        {
          allowForKnownSafeCalls: [{ from: "package", package: "node:test", name: ["test", "describe", "beforeEach"] }],
        },
      ],
    },
  },
);
