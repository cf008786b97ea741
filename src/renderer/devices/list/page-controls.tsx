import { Group } from '@mantine/core'
import { IconChevronLeft, IconChevronLeftPipe, IconChevronRight } from '@tabler/icons-react'
import { TurnButton } from '../../components/blocks.tsx'
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
      <TurnButton closed={onFirst === undefined} icon={IconChevronLeftPipe} onClick={onFirst}>
        {text.first}
      </TurnButton>
      <TurnButton closed={onPrevious === undefined} icon={IconChevronLeft} onClick={onPrevious}>
        {text.previous}
      </TurnButton>
      <TurnButton
        closed={onNext === undefined}
        rightSection={<IconChevronRight size={16} aria-hidden="true" />}
        onClick={onNext}
      >
        {text.next}
      </TurnButton>
    </Group>
  )
}
