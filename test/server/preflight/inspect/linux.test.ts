import { execFileSync } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { temporaryFolder } from '../../../support/builders/folders.ts'
import { needs } from '../../../support/tools.ts'
import { APP_UPDATE, appImage, FEED, factsOf, fixture, inspected, library } from './inspected.ts'

/** Writes an app on Electron to `opt/App`. */
function writeApp(folder: string): void {
  const resources = join(folder, 'opt/App/resources')
  mkdirSync(resources, { recursive: true })
  writeFileSync(join(resources, 'app-update.yml'), APP_UPDATE)
  writeFileSync(join(resources, 'app.asar'), fixture('app.asar'))
  writeFileSync(join(folder, 'opt/App/app'), library('linux-x64'))
}

test.for(['xz', 'gzip', 'zstd', 'none'])(
  'a package of Debian compressed with %s',
  needs('dpkg-deb'),
  async (compression) => {
    const folder = temporaryFolder()
    const source = join(folder, 'source')
    writeApp(source)
    mkdirSync(join(source, 'DEBIAN'), { mode: 0o755 })
    const control = ['Package: app', 'Version: 2.3.4-1', 'Architecture: armhf', 'Description: App']
    const fields = [...control, 'Maintainer: Example <app@example.com>', '']
    writeFileSync(join(source, 'DEBIAN/control'), fields.join('\n'))
    execFileSync('dpkg-deb', [`-Z${compression}`, '-b', source, join(folder, 'app.deb')])
    expect(await factsOf(folder, 'app.deb')).toEqual({
      ...{ kind: 'deb', arch: ['armv7'], version: '2.3.4', appId: 'app', publisher: {} },
      versions: [
        { source: 'package_json', text: '2.3.4' },
        { source: 'deb_control', text: '2.3.4-1' },
      ],
      ...{ electronUpdate: FEED, notes: [] },
    })
  },
)

test.for(['w9.gzdio', 'w6.xzdio', 'w3.zstdio', 'w6.lzdio'])(
  'an rpm compressed with %s',
  needs('rpmbuild'),
  async (payload) => {
    const folder = temporaryFolder()
    writeApp(folder)
    const spec = [
      ...['Name: app', 'Version: 2.3.4~beta', 'Release: 1', 'Summary: App', 'License: MIT'],
      ...['%description', '%install', 'mkdir -p %{buildroot}', `cp -r ${folder}/opt %{buildroot}/`],
      ...['%files', '/opt/App', ''],
    ]
    writeFileSync(join(folder, 'app.spec'), spec.join('\n'))
    const macros = {
      ...{ _topdir: join(folder, 'top'), _rpmdir: folder, _build_name_fmt: 'app.rpm' },
      ...{ _binary_payload: payload, __os_install_post: '%{nil}', _build_id_links: 'none' },
    }
    const defined = Object.entries(macros).flatMap(([name, value]) => ['-D', `${name} ${value}`])
    execFileSync('rpmbuild', [
      '--quiet',
      '--target',
      'aarch64',
      ...defined,
      '-bb',
      join(folder, 'app.spec'),
    ])
    expect(await factsOf(folder, 'app.rpm')).toEqual({
      ...{ kind: 'rpm', arch: ['aarch64'], version: '2.3.4', appId: 'app', publisher: {} },
      versions: [
        { source: 'package_json', text: '2.3.4' },
        { source: 'rpm_header', text: '2.3.4~beta' },
      ],
      ...{ electronUpdate: FEED, notes: [] },
    })
  },
)

test.for(['gzip', 'xz', 'zstd', 'plain'])(
  'an AppImage with a file system compressed with %s',
  async (compression) => {
    const image = appImage(`${compression}.squashfs`)
    const { facts, read } = await inspected(image)
    expect(facts).toEqual({
      ...{ kind: 'appimage', arch: ['aarch64'], version: '2.3.4', publisher: {} },
      versions: [{ source: 'package_json', text: '2.3.4' }],
      ...{ electronUpdate: FEED, notes: [] },
    })
    expect(read).toBe(image.length)
  },
)

test.for([
  ['linux-x64', 'x86_64'],
  ['linux-arm64', 'aarch64'],
] as const)('a program for %s', async ([target, arch]) => {
  expect((await inspected(library(target))).facts).toEqual({
    ...{ kind: 'elf', arch: [arch], versions: [], publisher: {}, notes: [] },
  })
})
