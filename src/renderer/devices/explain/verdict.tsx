import { Group, Text } from '@mantine/core'
import {
  IconArrowBackUp,
  IconCircleCheck,
  IconCircleMinus,
  IconInfoCircle,
} from '@tabler/icons-react'
import type { Explanation } from '../../../shared/console/devices.ts'
import { noteSentence, outcomeSentence } from '../../../shared/wording/explanation.ts'
import { Quiet } from '../../components/text/quiet.tsx'
import { explainText as text } from '../strings.ts'
import { CandidatesTable } from './candidates-table.tsx'
import classes from './explain.module.css'

interface Props {
  readonly app: string
  readonly explanation: Explanation
}

/** The outcome in a sentence, what had a say in it, and each release that was tried. */
export function Verdict({ app, explanation }: Props) {
  const { offer, notes, candidates, moreCandidates, channel, assumed } = explanation
  const [tone, Icon] = lookOf(offer)
  return (
    <div>
      <div role="status">
        <Group gap="xs" wrap="nowrap" align="start" className={classes.summary}>
          <Icon className={classes.icon} data-tone={tone} size={20} aria-hidden="true" />
          <Text fw={600}>{outcomeSentence(explanation)}</Text>
        </Group>
        {assumed && <Quiet mt={4}>{text.assumed}</Quiet>}
      </div>
      {notes.length > 0 && (
        <ul className={classes.notes}>
          {notes.map((note) => {
            const sentence = noteSentence(note, explanation)
            return (
              <li key={sentence}>
                <IconInfoCircle className={classes.icon} size={16} aria-hidden="true" />
                {sentence}
              </li>
            )
          })}
        </ul>
      )}
      {candidates.length > 0 && (
        <CandidatesTable app={app} channel={channel} candidates={candidates} />
      )}
      {moreCandidates > 0 && <Quiet mt="xs">{text.moreCandidates(moreCandidates)}</Quiet>}
    </div>
  )
}

function lookOf(offer: Explanation['offer']) {
  if (offer === null) return ['quiet', IconCircleMinus] as const
  return offer.allowDowngrade
    ? (['warn', IconArrowBackUp] as const)
    : (['good', IconCircleCheck] as const)
}
