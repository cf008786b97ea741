import { FuseState, FuseV1Options, getCurrentFuseWire } from '@electron/fuses'

/** How the fuses of a package must stand. The one that is left out keeps Electron's own default. */
export const WANTED_FUSES: ReadonlyMap<FuseV1Options, boolean> = new Map([
  [FuseV1Options.RunAsNode, false],
  [FuseV1Options.EnableCookieEncryption, false],
  [FuseV1Options.EnableNodeOptionsEnvironmentVariable, false],
  [FuseV1Options.EnableNodeCliInspectArguments, false],
  [FuseV1Options.EnableEmbeddedAsarIntegrityValidation, true],
  [FuseV1Options.OnlyLoadAppFromAsar, true],
  [FuseV1Options.LoadBrowserProcessSpecificV8Snapshot, false],
  [FuseV1Options.GrantFileProtocolExtraPrivileges, false],
])

/** The same by the names that electron-builder gives them. */
export function wantedByName(): Readonly<Record<string, boolean>> {
  const wanted = [...WANTED_FUSES].map(([fuse, on]) => {
    const name = FuseV1Options[fuse] ?? ''
    return [name.charAt(0).toLowerCase() + name.slice(1), on] as const
  })
  return Object.fromEntries(wanted)
}

/** The wire of a stand-in: every fuse the other way round, so that a check sees each one flipped. */
export function oppositeWire(): Buffer {
  const fuses = Object.values(FuseV1Options).filter((option) => typeof option === 'number')
  const states = fuses.map((fuse) =>
    WANTED_FUSES.get(fuse) ? FuseState.DISABLE : FuseState.ENABLE,
  )
  return Buffer.from([1, states.length, ...states])
}

/** Fuses of an executable that do not stand as wanted. */
export async function fuseProblems(executable: string): Promise<readonly string[]> {
  const wire = await getCurrentFuseWire(executable)
  return [...WANTED_FUSES]
    .filter(([fuse, on]) => wire[fuse] !== (on ? FuseState.ENABLE : FuseState.DISABLE))
    .map(([fuse, on]) => `fuse ${FuseV1Options[fuse]} is not ${on ? 'on' : 'off'}`)
}
