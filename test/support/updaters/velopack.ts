import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { UpdateManager } from 'velopack'
import { temporaryFolder } from '../builders/folders.ts'

export interface VelopackOptions {
  /** The address that the app gives its update manager. */
  readonly feed: string
  /** The version that the app runs. */
  readonly version: string
  readonly allowsDowngrade?: boolean
}

/**
 * The published client of Velopack in an app that is installed in a folder of its own. The installed version is the last
 * that runs on glibc before 2.39; it sends no `stagingId` and does not verify downloads, as later ones do.
 */
export interface VelopackApp {
  readonly manager: UpdateManager
  /** Where it keeps downloaded packages. */
  readonly packages: string
}

/** Installs an app as Velopack would, and starts its update manager. */
export async function startVelopack({
  feed,
  version,
  allowsDowngrade = false,
}: VelopackOptions): Promise<VelopackApp> {
  // Only `npm run install:tools` installs it.
  const { setVelopackLogger, UpdateManager } = await import('velopack')
  // By default it logs to the console.
  setVelopackLogger(() => {})
  const folder = temporaryFolder()
  const [packages, binaries] = [join(folder, 'packages'), join(folder, 'current')]
  for (const each of [packages, binaries]) mkdirSync(each)
  const [manifest, updater] = [join(binaries, 'sq.version'), join(folder, 'UpdateNix')]
  writeFileSync(manifest, manifestOf(version))
  writeFileSync(updater, '')
  const manager = new UpdateManager(
    feed,
    { ExplicitChannel: null, AllowVersionDowngrade: allowsDowngrade },
    {
      ...{ RootAppDir: folder, UpdateExePath: updater, PackagesDir: packages },
      ...{ ManifestPath: manifest, CurrentBinaryDir: binaries, IsPortable: true },
    },
  )
  return { manager, packages }
}

function manifestOf(version: string): string {
  return `<?xml version="1.0" encoding="utf-8"?>
<package xmlns="http://schemas.microsoft.com/packaging/2010/07/nuspec.xsd">
  <metadata>
    <id>Editor</id>
    <title>Editor</title>
    <description>Editor</description>
    <authors>Editor</authors>
    <version>${version}</version>
    <channel>win</channel>
    <mainExe>Editor.exe</mainExe>
    <os>win</os>
    <rid>win-x64</rid>
  </metadata>
</package>
`
}
