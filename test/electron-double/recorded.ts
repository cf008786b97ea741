/**
 * What the app did to the world outside, which the double does not do: for specs that look, through
 * `app.evaluate`, at the member `recorded` of the Electron module. The real one has no such member.
 */
export const recorded = {
  problems: [] as string[],
  openedExternal: [] as string[],
  openedPaths: [] as string[],
  notifications: [] as { title: string; body: string }[],
  dialogs: [] as object[],
  trays: [] as { tooltip: string; menu: object | null }[],
}
