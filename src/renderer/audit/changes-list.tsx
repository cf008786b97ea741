import { Stack, Text } from '@mantine/core'
import type { HistoryEntry } from '../../shared/events/audit.ts'
import { Small, Strong, When } from '../components/text/words.tsx'
import { actorInWords, entryInWords, partChangeInWords } from './entry-strings.ts'
import { changesOf } from './field-diff.ts'

type Entry = Pick<HistoryEntry, 'id' | 'at' | 'actor' | 'action'> & {
  // JSON has no place for what is undefined.
  readonly before?: unknown
  readonly after?: unknown
}

/** Who changed what and when, newest first, each part from its value before to its value after; nothing for none. */
export function ChangesList({ changes }: { readonly changes: readonly Entry[] }) {
  if (changes.length === 0) return null
  return (
    <Stack component="ul" gap="xs" mah={240} className="plain-list" style={{ overflowY: 'auto' }}>
      {changes.map(({ id, at, actor, action, before, after }) => (
        <li key={id}>
          <Strong>{entryInWords({ action, before, after })}</Strong>
          <Small>
            {actorInWords(actor)}, <When at={at} />
          </Small>
          {changesOf(before, after).map((change) => (
            <Text key={change.name} size="sm" className="wraps">
              {partChangeInWords(change)}
            </Text>
          ))}
        </li>
      ))}
    </Stack>
  )
}
