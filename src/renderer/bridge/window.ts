import type { Bridge } from '../../shared/console/bridge.ts'

declare global {
  interface Window {
    /** Put there by the preload script. */
    readonly tidegate: Bridge
  }
}

/** The two functions that reach the processes behind the page. */
export const bridge: Bridge = window.tidegate
