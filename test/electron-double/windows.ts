import type { BrowserWindow } from './browser-window.ts'

/** Every window that is not destroyed, oldest first. */
export const openWindows = new Set<BrowserWindow>()
