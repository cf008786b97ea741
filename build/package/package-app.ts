import { join } from 'node:path'
import electron from 'electron/package.json' with { type: 'json' }
import { runOffline } from './offline.ts'
import { makeStandInElectron } from './stand-in.ts'

/** Packages that can be made on any machine: a Windows one needs a real executable to edit. */
export type TryTarget =
  | { readonly platform: 'linux'; readonly arch: 'x64' }
  | { readonly platform: 'darwin'; readonly arch: 'arm64' }

/** An unpacked app, as electron-builder leaves it. */
export interface PackagedApp {
  /** What carries the fuses: an executable, or on macOS the bundle. */
  readonly executable: string
  readonly archive: string
  /** macOS: the file in which the hash of the archive's head stands. */
  readonly infoPlist: string | undefined
}

/** Runs electron-builder offline around a stand-in for Electron. */
export function packageApp(target: TryTarget, folder: string): PackagedApp {
  const standIn = join(folder, `electron-${target.platform}`)
  const output = join(folder, `dist-${target.platform}`)
  makeStandInElectron(standIn, electron.version, target.platform)
  runOffline(
    'node_modules/electron-builder/cli.js',
    [
      ...(target.platform === 'linux' ? ['--linux'] : ['--mac']),
      ...['dir', `--${target.arch}`, '--publish', 'never'],
      ...['--config', 'build/electron-builder.yml'],
      `-c.electronDist=${standIn}`,
      `-c.directories.output=${output}`,
      // The stand-in has no signature to mend, and nothing is signed here.
      ...(target.platform === 'darwin'
        ? ['-c.electronFuses.resetAdHocDarwinSignature=false', '-c.mac.identity=null']
        : []),
    ],
    folder,
  )
  return target.platform === 'linux' ? linuxApp(output) : macApp(output)
}

function linuxApp(output: string): PackagedApp {
  const app = join(output, 'linux-unpacked')
  return {
    executable: join(app, 'tidegate'),
    archive: join(app, 'resources/app.asar'),
    infoPlist: undefined,
  }
}

function macApp(output: string): PackagedApp {
  const app = join(output, 'mac-arm64/Tidegate.app')
  return {
    executable: app,
    archive: join(app, 'Contents/Resources/app.asar'),
    infoPlist: join(app, 'Contents/Info.plist'),
  }
}
