import type { PreflightProgress } from '../../shared/releases/preflight.ts'
import type { Judgement } from '../preflight/judge.ts'
import { workerUrl } from '../runtime/threads/worker-url.ts'
import type { JudgePreflight, PreflightPlan } from '../use-cases/releases/preflight.ts'
import { createTurnThread } from './turn-threads.ts'

/** Returns what judges a release for every device of its channel, and what ends that. */
export function createPreflightThread(): { readonly judge: JudgePreflight; stop(): void } {
  const script = workerUrl('preflight-worker', import.meta.url)
  const { run: judge, stop } = createTurnThread<PreflightPlan, Judgement, PreflightProgress>(script)
  return { judge, stop }
}
