import type { ChannelTotals } from '../../fleet/facts.ts'
import { hourOf } from '../../fleet/time.ts'
import type { CommandContext } from '../command-context.ts'

/** By the key of the channel. Channels that nothing was counted for may be left out. */
export type TotalsByChannel = ReadonlyMap<number, ChannelTotals>

/** Counts devices and check-ins of every channel of every app, in one read of the counters. */
export async function channelTotalsOf({
  catalog,
  fleet,
}: Pick<CommandContext, 'catalog' | 'fleet'>): Promise<TotalsByChannel> {
  const totals = await fleet.channelTotals(hourOf(catalog.now()))
  return new Map(totals.map((each) => [each.channelKey, each]))
}
