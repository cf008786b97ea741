import type {
  ProofTask,
  ProvingLimits,
} from '../../../src/server/outbound/proving/prove-artifact.ts'
import type { ProvingTimeouts } from '../../../src/server/outbound/proving/timeouts.ts'

/** Long enough for a busy machine; a test of one of them shortens it. */
const TIMEOUTS: ProvingTimeouts = {
  connect: 15_000,
  firstByte: 15_000,
  stalled: 15_000,
  total: 60_000,
}

/** What to prove, with the allowed hosts that a test gives. */
export function proofTask(
  artifact: ProofTask['artifact'],
  hosts: readonly string[],
  {
    minisignKey = null,
    unchecked = [],
    timeouts = {},
    ...limits
  }: Partial<Omit<ProvingLimits, 'timeouts'>> & {
    readonly minisignKey?: string | null
    readonly unchecked?: ProofTask['unchecked']
    readonly timeouts?: Partial<ProvingTimeouts>
  } = {},
): ProofTask {
  return {
    artifact,
    stored: undefined,
    settings: { minisignKey, hosts: [...hosts], documentKeys: [] },
    unchecked,
    limits: {
      ...{ maxBytes: 1_000_000_000, dnsServers: [] },
      ...limits,
      timeouts: { ...TIMEOUTS, ...timeouts },
    },
    userAgent: 'Tidegate/test',
  }
}
