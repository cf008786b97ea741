import { Stack, Text } from '@mantine/core'
import { MAX_COMMENT } from '../../../shared/releases/change-request.ts'
import { ProseField } from '../../components/text-fields.tsx'
import { text } from './strings.ts'

interface Props {
  readonly value: string
  readonly onChange: (comment: string) => void
  /** True where a change is about to be requested: says why. */
  readonly isNeeded?: boolean
}

/** The comment on a change request. */
export function CommentField({ value, onChange, isNeeded = false }: Props) {
  return (
    <Stack gap="xs">
      {isNeeded && <Text size="sm">{text.needsApproval}</Text>}
      <ProseField
        label={text.comment}
        description={text.commentHint}
        maxLength={MAX_COMMENT}
        value={value}
        onChange={onChange}
      />
    </Stack>
  )
}
