import { Text } from '@mantine/core'
import { actorInWords, entryInWords } from '../../audit/strings.ts'
import { When } from '../../components/when.tsx'
import type { HistoryEntry } from '../detail.ts'
import classes from './release.module.css'

/** What happened to a release and who did it, newest first. */
export function HistoryList({ history }: { readonly history: readonly HistoryEntry[] }) {
  return (
    <ol className={classes.history}>
      {history.map((entry) => (
        <li key={entry.id}>
          <Text size="sm">{entryInWords(entry)}</Text>
          <Text size="xs" c="dimmed">
            <When at={entry.at} />, {actorInWords(entry.actor)}
          </Text>
        </li>
      ))}
    </ol>
  )
}
