import { createRoot } from 'react-dom/client';

import { App } from './app/app';
import { loadTexts } from './app/i18n';
import { applyTheme } from './app/theme';

applyTheme();
await loadTexts();
const root = document.getElementById('app');
if (root) {
	createRoot(root).render(<App />);
}
