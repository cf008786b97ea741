import { CheckCounts, DownloadCounts, EnvelopeCounts } from './counts.ts'
import type { MetricsParts } from './metrics.ts'
import type { MetricsListener, MetricsPlace } from './metrics-listener.ts'

/** Metrics, and what counts for them. */
export interface RunningMetrics extends MetricsListener {
  readonly checks: CheckCounts
  readonly downloads: DownloadCounts
  readonly envelopes: EnvelopeCounts
}

/**
 * Starts to count, and to answer metrics. The library is loaded only now, so that servers without metrics do without.
 * Rejects as `listenForMetrics` does.
 */
export async function startMetrics(
  parts: Omit<MetricsParts, 'checks' | 'downloads' | 'envelopes'>,
  place: MetricsPlace,
  onFailure: (error: unknown) => void,
): Promise<RunningMetrics> {
  const [{ Metrics }, { listenForMetrics }] = await Promise.all([
    import('./metrics.ts'),
    import('./metrics-listener.ts'),
  ])
  const counts = {
    checks: new CheckCounts(),
    downloads: new DownloadCounts(),
    envelopes: new EnvelopeCounts(),
  }
  const metrics = new Metrics({ ...parts, ...counts })
  return { ...counts, ...(await listenForMetrics(metrics, place, onFailure)) }
}
