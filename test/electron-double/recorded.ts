interface ShownNotification {
  readonly title: string
  readonly body: string
  /** Simulates a click. An object without a reference receives nothing. */
  click(): Promise<void>
}

interface ShownTray {
  tooltip: string
  menu: object | null
  /** The picture, as its data URL. */
  image: string
  /** How many times a click opened the menu. */
  opened: number
  /** Simulates a click. */
  click(): void
}

/**
 * Records the app's effects on the system, which the double does not perform. Specs read them through
 * `app.evaluate` from the member `recorded` of the Electron module, which the real one does not have.
 */
export const recorded = {
  problems: [] as string[],
  openedExternal: [] as string[],
  openedPaths: [] as string[],
  notifications: [] as ShownNotification[],
  dialogs: [] as object[],
  trays: [] as ShownTray[],
  /** Downloads that Electron would start by itself. */
  downloads: [] as string[],
  /** Switches and arguments that the app gave Chromium, in order. */
  switches: [] as string[],
  appUserModelId: null as string | null,
  /** Kills the processes of all pages, as the system does when memory runs out. */
  killPages: async () => {},
}
