import { recordProof } from '../../../src/server/catalog/releases/record-proof.ts'
import type { RunningServer } from '../../../src/server/compose/running-server.ts'
import type { Principal } from '../../../src/server/use-cases/principal.ts'

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
