import { Text } from '@mantine/core'
import { actorInWords, entryInWords } from '../../audit/entry-strings.ts'
import { Small, When } from '../../components/text/words.tsx'
import charts from '../../fleet/charts.module.css'
import type { ReleaseDetail } from '../detail.ts'
import classes from './release.module.css'
import { text } from './strings.ts'

interface Props {
  readonly history: ReleaseDetail['history']
  /** Of the lines in the picture, by the id of the entry. */
  readonly numberOf: ReadonlyMap<number, number>
}

/** What was done to a release and who did it, newest first, with the numbers of the lines in the picture. */
export function HistoryList({ history, numberOf }: Props) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by keyboard
    <ol className={`plain-list ${classes.history}`} tabIndex={0} aria-label={text.history}>
      {history.map((entry) => (
        <li key={entry.id}>
          <span className={charts.markNumber}>{numberOf.get(entry.id)}</span>
          <div>
            <Text size="sm">{entryInWords(entry)}</Text>
            <Small>
              <When at={entry.at} />, {actorInWords(entry.actor)}
            </Small>
          </div>
        </li>
      ))}
    </ol>
  )
}
