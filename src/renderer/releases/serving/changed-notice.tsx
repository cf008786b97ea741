import { Stack, Text } from '@mantine/core'
import type { ReactNode } from 'react'
import { isStepBack } from '../../../shared/refusal.ts'
import { stepBackReason } from '../../../shared/wording/refusals/refusal.ts'
import { ChangesList } from '../../audit/changes-list.tsx'
import { ConsoleError, consoleErrorOf } from '../../bridge/error.ts'
import { Notice } from '../../components/blocks.tsx'
import type { HistoryEntry } from '../detail.ts'
import { text } from './strings.ts'

interface Props {
  readonly version: string
  /** What happened since, newest first. */
  readonly changes: readonly HistoryEntry[]
  /** What to do now. */
  readonly children: ReactNode
}

/** Says that a release changed while somebody was about to change it: who, when, from what to what. */
export function ChangedNotice({ version, changes, children }: Props) {
  return (
    <Notice title={text.changedTitle(version)}>
      <Stack gap="xs">
        <ChangesList changes={changes} />
        <Text size="sm">{children}</Text>
      </Stack>
    </Notice>
  )
}

/** Returns why a serving change was refused, for somebody who did not expect it. Other errors stay. */
export function refusalInWords(error: unknown): ConsoleError | null {
  if (error === null || error === undefined) return null
  const refused = consoleErrorOf(error)
  const { code, refusal } = refused
  if (refusal === undefined) return refused
  if (isStepBack(refusal)) {
    const why = `It ${stepBackReason(refusal)}.`
    return new ConsoleError(code, text.stepBack(why), refusal)
  }
  if (refusal.code !== 'release_rolled_back') return refused
  return new ConsoleError(code, text.rolledBackMeanwhile, refusal)
}
