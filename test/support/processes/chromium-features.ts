import { existsSync } from 'node:fs'

/** Without what surrounds a page, it starts faster. */
const HEADLESS = '/usr/bin/chromium-headless-shell'

/** The Chromium of this computer. */
export const CHROMIUM =
  process.env.ELECTRON_DOUBLE_CHROMIUM ?? (existsSync(HEADLESS) ? HEADLESS : '/usr/bin/chromium')

/** Pages of Chromium's own for its address bar: each window loads them, though none shows an address bar. */
export const ADDRESS_BAR_PAGES = ['WebUIOmniboxPopup', 'WebUIOmniboxAimPopup']
