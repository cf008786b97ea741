import { describe, expect, test } from 'vitest'
import { TAURI_SIGNATURE } from '../../../support/builders/minisign.ts'
import { artifact } from '../../../support/builders/releases.ts'
import { cli, done, refusal, shown } from '../../../support/processes/cli.ts'
import { publish, serve } from '../../../support/servers/calls.ts'
import { startWithApp } from '../../../support/servers/server.ts'
import { namesInFeed } from '../../../support/updaters/offered-files.ts'

const CHECK = ['release', 'check', 'editor', 'stable', '1.1.0'] as const
const ED = `${'A'.repeat(86)}==`
const TAURI = TAURI_SIGNATURE
const SHA1 = 'ab'.repeat(20)

function file(platform: string, arch: string, name: string, members = {}) {
  return artifact({ platform, arch, url: `https://a.example/${name}`, ...members })
}

const floorOf = (floor: string | undefined) =>
  floor === undefined ? {} : { minimumSystemVersion: floor }

const EVERYTHING = [
  file('win32', 'x64', 'Editor-setup.exe', { kind: 'nsis', signature: TAURI, size: 8_400_000 }),
  file('windows', 'x64', 'Editor.msi', { kind: 'msi' }),
  file('windows', 'x64', 'Editor-1.1.0-full.nupkg', {
    ...{ kind: 'nupkg', signature: `${SHA1} Editor-1.1.0-full.nupkg 42` },
  }),
  file('windows', 'x64', 'Editor-1.1.0-delta.nupkg', { kind: 'delta', signature: SHA1, size: 2 }),
  file('windows', 'arm64', 'Editor-arm64.exe'),
  file('darwin', 'universal', 'Editor.zip', { kind: 'zip', signature: TAURI }),
  file('darwin', 'universal', 'Editor.dmg', { kind: 'dmg', signature: ED }),
  file('darwin', 'arm64', 'Editor-arm64.dmg', { kind: 'dmg', signature: TAURI }),
  file('linux', 'x64', 'Editor.AppImage', { kind: 'appimage', signature: TAURI }),
  file('linux', 'x64', 'editor.deb', { kind: 'deb' }),
  file('linux', 'any', 'editor.snap', { kind: 'snap' }),
]

describe('release check', () => {
  test('says of every client and platform what its feed lists', async () => {
    const server = await startWithApp()
    await publish(server, '1.1.0', { artifacts: EVERYTHING })
    const { stdout } = await cli(server.folder, ...CHECK, '--json')
    const { check } = JSON.parse(stdout)
    const checked: string[] = []
    for (const { client, platform, arch, offered } of check.targets) {
      const listed = await namesInFeed(server, client, platform, arch)
      if (listed === undefined) continue
      const names = offered.map((each: { file: string }) => each.file)
      expect(names, `${client} ${platform} ${arch}`).toEqual(listed)
      checked.push(`${client} ${platform} ${arch}`)
    }
    expect(checked).toEqual([
      ...['electron_updater windows x86_64', 'electron_updater windows aarch64'],
      ...['electron_updater darwin any', 'electron_updater darwin aarch64'],
      ...['electron_updater linux x86_64', 'electron_updater linux any'],
      ...['squirrel_mac darwin any', 'squirrel_mac darwin aarch64'],
      ...['squirrel_windows windows x86_64', 'squirrel_windows windows aarch64'],
      ...['sparkle darwin any', 'sparkle darwin aarch64'],
      ...['velopack windows x86_64', 'velopack windows aarch64'],
      ...['velopack darwin any', 'velopack darwin aarch64'],
      ...['velopack linux x86_64', 'velopack linux any'],
    ])
  })

  test('gives a reason for each file, and fails for those that no updater is offered', async () => {
    const server = await startWithApp()
    await publish(server, '1.1.0', { artifacts: EVERYTHING })
    const ended = await cli(server.folder, ...CHECK)
    expect(ended.code).toBe(1)
    const lines = ended.stdout.split('\n').map((line) => line.split(/ {2,}/).join(' | '))
    expect(lines).toEqual([
      'CLIENT | PLATFORM | ARCH | DOWNLOAD | OFFERED',
      'Tauri | windows | x86_64 | 8.4 MB | Editor-setup.exe (nsis)',
      'Tauri | windows | aarch64 | - | Nothing (Editor-arm64.exe: no signature)',
      'Tauri | darwin | any | - | Nothing (no file of a kind that it installs)',
      'Tauri | darwin | aarch64 | - | Nothing (no file of a kind that it installs)',
      'Tauri | linux | x86_64 | unknown | Editor.AppImage (appimage)',
      'Tauri | linux | any | - | Nothing (no file of a kind that it installs)',
      'electron-updater | windows | x86_64 | 8.4 MB | Editor-setup.exe (nsis)',
      'electron-updater | windows | aarch64 | unknown | Editor-arm64.exe',
      'electron-updater | darwin | any | unknown | Editor.zip (zip), Editor.dmg (dmg)',
      'electron-updater | darwin | aarch64 | unknown | Editor.zip (zip), Editor-arm64.dmg (dmg), Editor.dmg (dmg)',
      'electron-updater | linux | x86_64 | unknown | Editor.AppImage (appimage), editor.deb (deb)',
      'electron-updater | linux | any | - | Nothing (no file of a kind that it installs)',
      'Squirrel.Mac | darwin | any | unknown | Editor.zip (zip)',
      'Squirrel.Mac | darwin | aarch64 | unknown | Editor.zip (zip)',
      'Squirrel.Windows | windows | x86_64 | unknown | Editor-1.1.0-full.nupkg (nupkg)',
      'Squirrel.Windows | windows | aarch64 | - | Nothing (no file of a kind that it installs)',
      'Sparkle | darwin | any | unknown | Editor.dmg (dmg)',
      'Sparkle | darwin | aarch64 | unknown | Editor.dmg (dmg)',
      'Velopack | windows | x86_64 | unknown | Editor-1.1.0-full.nupkg (nupkg)',
      'Velopack | windows | aarch64 | - | Nothing (no file of a kind that it installs)',
      'Velopack | darwin | any | - | Nothing (no file of a kind that it installs)',
      'Velopack | darwin | aarch64 | - | Nothing (no file of a kind that it installs)',
      'Velopack | linux | x86_64 | - | Nothing (no file of a kind that it installs)',
      'Velopack | linux | any | - | Nothing (no file of a kind that it installs)',
      '',
    ])
    expect(refusal(ended)).toBe(
      'error: 3 files are not offered to any updater: Editor.msi (msi), Editor-1.1.0-delta.nupkg (delta), and editor.snap (snap)',
    )
  })

  test.each([
    ['unsigned', file('windows', 'x64', 'Editor-1.1.0-full.nupkg'), 'velopack'],
    [
      'signature_form',
      file('windows', 'x64', 'Editor-1.1.0-full.nupkg', { signature: TAURI }),
      'squirrel_windows',
    ],
    [
      'delta',
      file('windows', 'x64', 'Editor-1.1.0-delta.nupkg', { signature: SHA1, size: 2 }),
      'velopack',
    ],
    ['signature_form', file('darwin', 'any', 'Editor.dmg', { signature: TAURI }), 'sparkle'],
    ['unsigned', file('linux', 'x64', 'Editor.AppImage'), 'tauri'],
    [
      'signature_form',
      file('linux', 'x64', 'Editor.AppImage', { signature: ED.slice(1) }),
      'tauri',
    ],
    ['needed_file_missing', file('darwin', 'any', 'Editor.dmg'), 'electron_updater'],
    ['not_installed', file('windows', 'x64', 'Editor.msi'), 'electron_updater'],
  ])('%s: the reason for a file that is offered to nobody, %o', async (code, only, client) => {
    const server = await startWithApp()
    await publish(server, '1.1.0', { artifacts: [only] })
    const ended = await cli(server.folder, ...CHECK, '--client', client, '--json')
    expect(ended.code).toBe(1)
    const { check } = JSON.parse(ended.stdout)
    expect(check.targets).toMatchObject([{ client, offered: [], notOffered: [{ code }] }])
    expect(check.unoffered).toHaveLength(1)
    expect(await namesInFeed(server, client, only.platform, only.arch)).toEqual(
      client === 'tauri' ? undefined : [],
    )
  })

  test('is about the clients that are named', async () => {
    const server = await startWithApp()
    await publish(server, '1.1.0', {
      artifacts: [
        file('windows', 'x64', 'Editor.bin'),
        file('windows', 'x64', 'E.exe', { kind: 'nsis' }),
      ],
    })
    const own = await done(server.folder, ...CHECK, '--client', 'update_check')
    expect(own).toMatch(/\nUpdate check +windows +x86_64 +unknown +Editor\.bin, E\.exe \(nsis\)\n$/)
    const one = await cli(server.folder, ...CHECK, '--client', 'electron_updater')
    expect([one.code, refusal(one)]).toEqual([
      1,
      'error: 1 file is not offered to electron-updater: Editor.bin',
    ])
    await serve(server, '1.1.0', { status: 'paused' })
    const both = ['--client', 'electron_updater', '--client', 'update_check']
    expect(await done(server.folder, ...CHECK, ...both)).toMatch(
      /\n1\.1\.0 is paused, so it is not offered now\.\n$/,
    )
    const { check } = await shown(server.folder, ...CHECK, ...both)
    const target = { platform: 'windows', arch: 'x86_64' }
    const [bin, exe] = [
      { file: 'Editor.bin', kind: '', ...target, size: 0 },
      { file: 'E.exe', kind: 'nsis', ...target, size: 0 },
    ]
    expect(check).toEqual({
      ...{ app: 'editor', channel: 'stable', version: '1.1.0', status: 'paused' },
      targets: [
        {
          ...{ client: 'electron_updater', ...target, offered: [exe] },
          notOffered: [{ ...bin, code: 'not_installed' }],
          floors: [],
        },
        { client: 'update_check', ...target, offered: [bin, exe], notOffered: [], floors: [] },
      ],
      unoffered: [],
    })
  })

  test('says what devices get whose system is too old, as the feeds do', async () => {
    const server = await startWithApp()
    const zip = (floor?: string) => file('darwin', 'any', 'Editor.zip', floorOf(floor))
    const dmg = (floor?: string) =>
      file('darwin', 'any', 'Editor.dmg', { kind: 'dmg', ...floorOf(floor) })
    await publish(server, '0.9.0', { artifacts: [zip('11.0')] })
    await publish(server, '1.0.1', { artifacts: [zip('macos-12'), dmg()] })
    await publish(server, '1.0.2', { artifacts: [zip('Sonoma')] })
    await publish(server, '1.0.3', { artifacts: [zip()] })
    await publish(server, '1.1.0', { artifacts: [zip('22.4.0'), dmg('14.0')] })
    await serve(server, '1.0.2', { status: 'paused' })
    await serve(server, '1.0.3', { status: 'rolled_back' })
    const check = async (...clients: string[]) => {
      const ended = await done(
        server.folder,
        ...CHECK,
        ...clients.flatMap((each) => ['--client', each]),
      )
      return ended.split('\n').map((line) => line.replaceAll(/ {2,}/g, ' | '))
    }
    expect(await check('electron_updater', 'squirrel_mac', 'sparkle')).toEqual([
      'CLIENT | PLATFORM | ARCH | DOWNLOAD | OFFERED',
      'electron-updater | darwin | any | unknown | Editor.zip, Editor.dmg (dmg); below macOS 13.3: 1.0.1; below macOS 12: 0.9.0; below macOS 11: nothing',
      'Squirrel.Mac | darwin | any | unknown | Editor.zip; below macOS 13.3: 1.0.1; below macOS 12: 0.9.0; below macOS 11: nothing',
      'Sparkle | darwin | any | unknown | Editor.dmg (dmg); below macOS 14: 1.0.1',
      'Devices that do not say which operating system they run are offered the files whatever it is.',
      '',
    ])
    const one = ['--client', 'squirrel_mac', '--json'] as const
    const { stdout } = await cli(server.folder, ...CHECK, ...one)
    expect(JSON.parse(stdout).check.targets).toMatchObject([
      {
        floors: [
          { below: '22.4.0', version: '1.0.1' },
          { below: 'macos-12', version: '0.9.0' },
          { below: '11.0', version: null },
        ],
      },
    ])
    const got = async (os: string) => {
      const path = `/squirrel/editor/stable/darwin/x64/0.1.0?os=${os}`
      const { status, body } = await server.call('GET', path, { key: null })
      return status === 204 ? null : body.name
    }
    expect(await Promise.all(['13.3', '13.2', '12.0', '11.9', '11.0', '10.15'].map(got))).toEqual([
      ...['1.1.0', '1.0.1', '1.0.1', '0.9.0', '0.9.0', null],
    ])
  })

  test('names a floor of Windows, and a release above that needs less', async () => {
    const server = await startWithApp()
    const exe = (floor?: string) => file('windows', 'x64', 'Editor.exe', floorOf(floor))
    await publish(server, '1.1.0', { artifacts: [exe('10.0.22631')] })
    const only = ['--client', 'electron_updater']
    expect(await done(server.folder, ...CHECK, ...only)).toContain(
      'Editor.exe; below Windows 10.0.22631: nothing\n',
    )
    await publish(server, '1.2.0', { artifacts: [exe('11')] })
    expect(await done(server.folder, ...CHECK, ...only)).toContain(
      'Editor.exe; below Windows 10.0.22631: 1.2.0; below Windows 11: nothing\n',
    )
  })

  test('has a release without files, and none that does not exist', async () => {
    const server = await startWithApp()
    await publish(server, '1.1.0', { artifacts: [] })
    expect(await done(server.folder, ...CHECK)).toBe('No files to offer to these clients.\n')
    expect((await cli(server.folder, 'release', 'check', 'editor', 'stable', '9.0.0')).code).toBe(3)
  })
})
