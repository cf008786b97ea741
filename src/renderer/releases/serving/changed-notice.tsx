import { Stack, Text } from '@mantine/core'
import type { ReactNode } from 'react'
import { ChangesList } from '../../audit/changes-list.tsx'
import { Notice } from '../../components/notice.tsx'
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
