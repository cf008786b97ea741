import { createHash } from 'node:crypto'
import { Readable } from 'node:stream'
import { recordProof } from '../../../src/server/catalog/releases/record-proof.ts'
import type { RunningServer } from '../../../src/server/compose/running-server.ts'
import type { Principal } from '../../../src/server/use-cases/principal.ts'
import { DraftBody } from '../../../src/shared/releases/draft.ts'

/** Artifacts of 2.3.0 that were proven, one of which has changed since, and a release that waits for its proof. */
export async function recordProofs(
  { consoleContext: { catalog }, updates }: RunningServer,
  principal: Principal,
): Promise<void> {
  await updates.setProving(principal, {
    app: 'editor',
    change: {
      hosts: ['downloads.example', 'nas.lan:8080', '192.168.1.0/24'],
      minisignKey: 'RWQf6LRCGA9i53mlYecO4IzT51TGPpvWucNSCh1CBM0QTaLn73Y7GFO3',
    },
  })
  const channel = catalog.snapshot.appByName.get('editor')?.channels.get('stable')
  if (channel === undefined) throw new Error('the releases come first')
  const at = catalog.now()
  const proven = { at, failure: null } as const
  const failure = { code: 'hash_differs', actual: '9f86d081884c7d65'.repeat(8) } as const
  for (const outcome of [
    { ...proven, position: 0, signature: 'valid' },
    { at, position: 1, failure, signature: null },
    { ...proven, position: 2, signature: 'unsigned' },
  ] as const) {
    await recordProof(catalog, channel, '2.3.0', outcome)
  }
}

/** Two stored files: one that a draft uses, and one that nothing does. */
export async function storeFiles({ updates }: RunningServer, principal: Principal): Promise<void> {
  const store = async (name: string, size: number) => {
    const content = Buffer.alloc(size, name)
    const sha512 = createHash('sha512').update(content).digest('hex')
    const { id } = await updates.beginUpload(principal, { name, size, sha512 })
    return await updates.appendPiece(principal, { id, offset: 0 }, Readable.from([content]))
  }
  await store('Harbour-Viewer-1.0.0-x64-setup.exe', 23_400_000)
  const { file } = await store('Harbour-Editor-2.6.0-beta.1-x86_64.AppImage', 61_000_000)
  if (file === null) throw new Error('the file is not complete')
  const { url, sha512, size } = file
  const built = { platform: 'linux', arch: 'x86_64', kind: 'appimage', url, sha512, size }
  const draft = { app: 'editor', channel: 'beta', version: '2.6.0-beta.1' }
  await updates.putDraft(principal, DraftBody.parse({ ...draft, artifacts: [built] }))
}
