import jsxA11y from 'eslint-plugin-jsx-a11y';
import reactHooks from 'eslint-plugin-react-hooks';
import tseslint from 'typescript-eslint';

export default tseslint.config(
	{ ignores: ['node_modules'] },
	...tseslint.configs.strict.map((config) => ({ ...config, files: ['src/**/*.{ts,tsx}'] })),
	{
		files: ['src/**/*.{ts,tsx}'],
		plugins: { 'react-hooks': reactHooks, 'jsx-a11y': jsxA11y },
		rules: {
			'react-hooks/rules-of-hooks': 'error',
			'react-hooks/exhaustive-deps': 'error',
			...jsxA11y.configs.recommended.rules,
			'no-console': 'error',
			eqeqeq: 'error',
			// Content is passed on with the other attributes.
			'jsx-a11y/anchor-has-content': 'off',
		},
	},
);
