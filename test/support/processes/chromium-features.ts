/** The Chromium of this machine. */
export const CHROMIUM = process.env.ELECTRON_DOUBLE_CHROMIUM ?? '/usr/bin/chromium'

/** Pages of Chromium's own for its address bar: each window loads them, though none shows an address bar. */
export const ADDRESS_BAR_PAGES = ['WebUIOmniboxPopup', 'WebUIOmniboxAimPopup']
