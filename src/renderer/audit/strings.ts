import { z } from 'zod'
import { CarriedOver } from '../../shared/console/backups.ts'
import { formatCounted } from '../components/format.ts'
import { keptCounts } from '../components/kept-counts.ts'
import { listed, sentence } from '../releases/strings.ts'
import type { Change } from './entry.ts'
import { changesOf } from './field-diff.ts'
import { servingInWords } from './serving-words.ts'

const Published = z.object({ rolloutPct: z.number(), artifacts: z.number() })
const Named = z.object({ name: z.string() })
const Key = z.object({ prefix: z.string(), name: z.string().optional() })
const Restored = z.object({
  offered: z.number(),
  releasesLost: z.number(),
  /** Null where the database that was replaced could not be read; entries from before it have none. */
  carriedOver: CarriedOver.nullish(),
})
const Channel = z.object({ releases: z.number() })
const App = z.object({ channels: z.array(Channel) })

type Words = (before: unknown, after: unknown) => string | undefined

const WORDS: Readonly<Record<string, Words>> = {
  'release.published': (_, after) =>
    told(Published, after, ({ rolloutPct, artifacts }) => {
      const files = formatCounted(artifacts, 'artifact')
      return `Published to ${rolloutPct} % of devices, with ${files}.`
    }) ?? 'Published.',
  'release.serving_changed': servingInWords,
  'app.created': (_, after) => told(Named, after, ({ name }) => `App created as ${name}.`),
  'app.renamed': (before, after) =>
    told(Named, before, (from) =>
      told(Named, after, (to) => `App renamed from ${from.name} to ${to.name}.`),
    ),
  'app.archived': () => 'App archived: it is answered to nobody.',
  'app.restored': () => 'App restored: it is answered again.',
  'app.removed': (before) =>
    told(App, before, ({ channels }) => {
      const releases = channels.reduce((sum, channel) => sum + channel.releases, 0)
      const went = [formatCounted(channels.length, 'channel'), formatCounted(releases, 'release')]
      return `App removed, with ${listed(went)}.`
    }),
  'channel.created': () => 'Channel created.',
  'channel.removed': (before) =>
    told(Channel, before, ({ releases }) => {
      return `Channel removed, with ${formatCounted(releases, 'release')}.`
    }),
  'channel.policy_changed': (before, after) => {
    const parts = changesOf(before, after).map(({ name }) => name.toLowerCase())
    return parts.length === 0 ? undefined : `Rules changed: ${listed(parts)}.`
  },
  'device.forgotten': () => 'Device forgotten.',
  'database.restored': (_, after) =>
    told(Restored, after, ({ offered, releasesLost, carriedOver }) => {
      const marked = `${formatCounted(offered, 'release')} marked as offered`
      const lost = `${formatCounted(releasesLost, 'release')} not in the backup`
      return `Backup restored: ${marked}, ${lost}.${keptInWords(carriedOver)}`
    }),
  'key.minted': (_, after) =>
    told(Key, after, ({ name, prefix }) => `Key ${name ?? ''} (${prefix}…) created.`),
  'key.revoked': (_, after) => told(Key, after, ({ prefix }) => `Key ${prefix}… revoked for good.`),
}

/** The sentence that follows, after a space; none where nothing was kept. */
function keptInWords(carriedOver: z.infer<typeof Restored>['carriedOver']): string {
  if (carriedOver === undefined) return ''
  if (carriedOver === null) return ' The replaced database could not be read.'
  const kept = keptCounts(carriedOver)
  return kept.length === 0 ? '' : ` Kept from after the backup: ${listed(kept)}.`
}

/** What was done, as a sentence. A change that is not known is named by its action. */
export function entryInWords({ action, before, after }: Change): string {
  const known = Object.hasOwn(WORDS, action) ? WORDS[action]?.(before, after) : undefined
  return known ?? sentence(action.replace(/^release\./, '').replaceAll(/[._]/g, ' '))
}

/** What `say` says of a value that has the shape; undefined of any other. */
function told<Shape>(
  schema: z.ZodType<Shape>,
  value: unknown,
  say: (shape: Shape) => string | undefined,
): string | undefined {
  const read = schema.safeParse(value)
  return read.success ? say(read.data) : undefined
}
