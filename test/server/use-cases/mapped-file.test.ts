import { createHash } from 'node:crypto'
import { expect, test } from 'vitest'
import { FileIndex } from '../../../src/server/hosting/file-index.ts'
import { mappedFile } from '../../../src/server/use-cases/files/mapped-file.ts'
import { artifact } from '../../support/builders/releases.ts'
import { publish } from '../../support/servers/calls.ts'
import { startWithApp } from '../../support/servers/server.ts'

const RELEASES = 60
const ARCHES = ['x86_64', 'aarch64', 'i686', 'armv7', 'riscv64', 'any']

const nameOf = (release: number, arch: string) => `Editor 1.${release}.0-${arch}.exe`

/** The files of an app, with every look for one of them counted. */
async function startWithFiles() {
  const server = await startWithApp()
  const index = new FileIndex()
  for (let release = 0; release < RELEASES; release += 1) {
    const artifacts = ARCHES.map((arch) => {
      const name = nameOf(release, arch)
      const sha512 = createHash('sha512').update(name).digest('hex')
      index.add({ sha512, name, size: 1, storedAt: 0 })
      const url = `https://updates.example/files/${sha512.slice(0, 32)}/${encodeURIComponent(name)}`
      // As publishers write it: electron-builder in base64, others in hex of either case.
      const spelled = [Buffer.from(sha512, 'hex').toString('base64'), sha512.toUpperCase(), sha512]
      return artifact({ platform: 'windows', arch, url, sha512: spelled[release % 3] })
    })
    await publish(server, `1.${release}.0`, { artifacts })
  }
  const file = index.list().find(({ name }) => name === nameOf(RELEASES - 1, 'x86_64'))
  if (file === undefined) throw new Error('the file is not in the index')
  let looks = 0
  const find = (id: string) => {
    looks += 1
    return index.find(id)
  }
  return (name: string) => {
    looks = 0
    const found = mappedFile(server.catalog.snapshot, { find }, file, name)
    return { name: found?.file.name, looks }
  }
}

test('a name that no file has costs no more than one that a file has, however many files the app has', async () => {
  const ask = await startWithFiles()
  for (const release of [RELEASES - 1, RELEASES - 2, RELEASES - 3, 0]) {
    const name = nameOf(release, 'aarch64')
    expect(ask(name)).toEqual({ name, looks: 1 })
  }
  expect(ask('Editor 9.9.9-x86_64.exe')).toEqual({ name: undefined, looks: 0 })
})
