import { CheckCounts } from './check-counts.ts'
import type { MetricsParts } from './metrics.ts'
import type { MetricsListener, MetricsPlace } from './metrics-listener.ts'

/** Metrics, and what counts for them. */
export interface RunningMetrics extends MetricsListener {
  readonly checks: CheckCounts
}

/**
 * Starts to count, and to answer metrics. The library is loaded only now, so that servers without metrics do without.
 * Rejects as `listenForMetrics` does.
 */
export async function startMetrics(
  parts: Omit<MetricsParts, 'checks'>,
  place: MetricsPlace,
  onFailure: (error: unknown) => void,
): Promise<RunningMetrics> {
  const [{ Metrics }, { listenForMetrics }] = await Promise.all([
    import('./metrics.ts'),
    import('./metrics-listener.ts'),
  ])
  const checks = new CheckCounts()
  const metrics = new Metrics({ ...parts, checks })
  return { checks, ...(await listenForMetrics(metrics, place, onFailure)) }
}
