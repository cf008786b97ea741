import { Group } from '@mantine/core'
import { IconChevronLeft, IconChevronLeftPipe, IconChevronRight } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { SmallButton } from '../../components/small-button.tsx'
import { text } from '../strings.ts'

interface Props {
  /** Undefined where there is no such page. */
  readonly onFirst: (() => void) | undefined
  readonly onPrevious: (() => void) | undefined
  readonly onNext: (() => void) | undefined
}

/** The ways to other pages of a list that has no page numbers. */
export function PageControls({ onFirst, onPrevious, onNext }: Props) {
  return (
    <Group component="nav" aria-label={text.pages} gap="xs">
      <Way onGo={onFirst} left={<IconChevronLeftPipe size={16} aria-hidden="true" />}>
        {text.first}
      </Way>
      <Way onGo={onPrevious} left={<IconChevronLeft size={16} aria-hidden="true" />}>
        {text.previous}
      </Way>
      <Way onGo={onNext} right={<IconChevronRight size={16} aria-hidden="true" />}>
        {text.next}
      </Way>
    </Group>
  )
}

interface WayProps {
  readonly onGo: (() => void) | undefined
  readonly left?: ReactNode
  readonly right?: ReactNode
  readonly children: string
}

/** Stays reachable where it leads nowhere, so that the focus is not lost on the last page. */
function Way({ onGo, left, right, children }: WayProps) {
  const closed = onGo === undefined
  return (
    <SmallButton
      leftSection={left}
      rightSection={right}
      aria-disabled={closed}
      data-disabled={closed}
      onClick={(event) => {
        event.preventDefault()
        onGo?.()
      }}
    >
      {children}
    </SmallButton>
  )
}
