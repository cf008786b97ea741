import { join } from 'node:path'
import electron from 'electron/package.json' with { type: 'json' }
import { runOffline } from './offline.ts'
import { makeStandInElectron } from './stand-in.ts'

/** The packages that are checked: one per system, each of which can be built on any machine. */
export type TryTarget =
  | { readonly platform: 'linux'; readonly arch: 'x64' }
  | { readonly platform: 'darwin'; readonly arch: 'arm64' }
  | { readonly platform: 'win32'; readonly arch: 'x64' }

const OPTIONS = { linux: '--linux', darwin: '--mac', win32: '--win' } as const

/** An unpacked app, as electron-builder leaves it. */
export interface PackagedApp {
  /** What carries the fuses: an executable, or on macOS the bundle. */
  readonly executable: string
  readonly archive: string
  /** macOS: the file that holds the hash of the archive's header. Windows: the executable. */
  readonly integrityFile: string | undefined
}

/** Runs electron-builder offline around a stand-in for Electron. */
export function packageApp(target: TryTarget, folder: string): PackagedApp {
  const standIn = join(folder, `electron-${target.platform}`)
  const output = join(folder, `dist-${target.platform}`)
  makeStandInElectron(standIn, electron.version, target.platform)
  runOffline(
    'build/node_modules/electron-builder/cli.js',
    [
      ...[OPTIONS[target.platform], 'dir', `--${target.arch}`, '--publish', 'never'],
      ...['--config', 'build/electron-builder.yml'],
      `-c.electronDist=${standIn}`,
      `-c.directories.output=${output}`,
      // The stand-in has no signature to fix, and nothing is signed here.
      ...(target.platform === 'darwin'
        ? ['-c.electronFuses.resetAdHocDarwinSignature=false', '-c.mac.identity=null']
        : []),
    ],
    folder,
  )
  return { linux: linuxApp, darwin: macApp, win32: windowsApp }[target.platform](output)
}

function linuxApp(output: string): PackagedApp {
  const app = join(output, 'linux-unpacked')
  return {
    executable: join(app, 'tidegate'),
    archive: join(app, 'resources/app.asar'),
    integrityFile: undefined,
  }
}

function macApp(output: string): PackagedApp {
  const app = join(output, 'mac-arm64/Tidegate.app')
  return {
    executable: app,
    archive: join(app, 'Contents/Resources/app.asar'),
    integrityFile: join(app, 'Contents/Info.plist'),
  }
}

function windowsApp(output: string): PackagedApp {
  const app = join(output, 'win-unpacked')
  const executable = join(app, 'Tidegate.exe')
  return {
    executable,
    archive: join(app, 'resources/app.asar'),
    integrityFile: executable,
  }
}
