interface ShownNotification {
  readonly title: string
  readonly body: string
  /** A person clicks on it: what has no reference by then hears nothing. */
  click(): Promise<void>
}

interface ShownTray {
  tooltip: string
  menu: object | null
  /** The picture, as the address that it was made of. */
  image: string
  /** How many times a click has opened the menu. */
  opened: number
  /** A person clicks on it. */
  click(): void
}

/**
 * What the app did to the world outside, which the double does not do: for specs that look, through
 * `app.evaluate`, at the member `recorded` of the Electron module. The real one has no such member.
 */
export const recorded = {
  problems: [] as string[],
  openedExternal: [] as string[],
  openedPaths: [] as string[],
  notifications: [] as ShownNotification[],
  dialogs: [] as object[],
  trays: [] as ShownTray[],
  /** What Electron would fetch by itself. */
  downloads: [] as string[],
  /** Switches and arguments that the app gave Chromium, in order. */
  switches: [] as string[],
  appUserModelId: null as string | null,
  /** The system kills the processes of all pages, as where memory runs out. */
  killPages: async () => {},
}
