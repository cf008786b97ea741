import { randomBytes } from 'node:crypto'
import type { ServerConfigInput } from '../../../src/server/config.ts'
import type { Release } from '../../../src/shared/releases/release.ts'
import { PRINCIPAL } from '../builders/actor.ts'
import { artifact } from '../builders/releases.ts'
import { eventually } from '../eventually.ts'
import { publish, setPolicy } from './calls.ts'
import { type FileServer, publishedFile, startFileServer } from './file-server.ts'
import { startWithApp, type TestServer } from './server.ts'

export const PLACE = { app: 'editor', channel: 'stable' }

/** A server whose clock is moved, and a file server that the app may fetch from. */
export interface ProvenWorld {
  readonly server: TestServer
  readonly files: FileServer
  readonly time: { now: number }
  /** What a device would download. */
  readonly bytes: Buffer
  /** Publishes a release whose file is served at `/<version>`, unless it is told what is served there. */
  publish(version: string, served?: Buffer | null, signature?: string): Promise<Release>
  /** The release once `isSo` holds. */
  until(version: string, isSo: (release: Release) => boolean): Promise<Release>
  /** The proof of a release once it has ended. */
  proof(version: string): ReturnType<TestServer['updates']['showProof']>
}

export async function startProven(
  proving: 'off' | 'warn' | 'required',
  config: Partial<ServerConfigInput> = {},
): Promise<ProvenWorld> {
  const time = { now: Date.now() }
  const server = await startWithApp({ proving: { lookEvery: 20 }, ...config }, undefined, {
    clock: () => time.now,
  })
  const files = await startFileServer()
  const { updates } = server
  await updates.setProving(PRINCIPAL, { app: 'editor', change: { hosts: [files.host] } })
  await setPolicy(server, { proving })
  const bytes = randomBytes(10_000)
  const shown = (version: string) => updates.getRelease(PRINCIPAL, { ...PLACE, version })
  return {
    ...{ server, files, time, bytes },
    publish: async (version, served = bytes, signature = '') => {
      if (served !== null) files.put(`/${version}`, served)
      const { url, sha512, size } = publishedFile(`${files.url}/${version}`, bytes)
      const artifacts = [artifact({ url, sha512, size, signature })]
      return await publish(server, version, { artifacts })
    },
    until: (version, isSo) =>
      eventually(async () => {
        const release = await shown(version)
        if (!isSo(release)) throw new Error(`${version} is ${release.status}`)
        return release
      }),
    proof: (version) =>
      eventually(async () => {
        const proof = await updates.showProof(PRINCIPAL, { ...PLACE, version })
        if (proof.state === 'running' || proof.state === 'unproven') throw new Error(proof.state)
        return proof
      }),
  }
}
