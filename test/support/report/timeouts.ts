import { describeWaits } from './waiting.ts'

/** Makes the error of a test that times out say what the test waits for. `signal`: that of its context. */
export function explainTimeout(signal: AbortSignal): void {
  const since = performance.now()
  signal.addEventListener(
    'abort',
    () => {
      // Vitest rejects the test with this error after the event.
      const { reason } = signal
      if (!(reason instanceof Error) || !/timed out/.test(reason.message)) return
      const lines = describeWaits(since)
      if (lines.length === 0) return
      reason.message += `\nIt waits for:\n${lines.map((line) => `- ${line}`).join('\n')}`
    },
    { once: true },
  )
}
