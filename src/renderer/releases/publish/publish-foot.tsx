import { Button, Group, Text } from '@mantine/core'
import { text as approvalText } from '../../approvals/strings.ts'
import classes from './publish.module.css'
import { text } from './strings.ts'

interface Props {
  /** What publishing waits for. */
  readonly isHashing: boolean
  readonly isUploading: boolean
  /** Whether fields are highlighted. */
  readonly isInvalid: boolean
  /** What is wrong beside fields. */
  readonly issue: string | undefined
  readonly isProposal: boolean
  readonly isSaving: boolean
  readonly onSave: () => void
}

/** The end of the publish form: what is wrong or being waited for, and the buttons. */
export function PublishFoot({ isProposal, isSaving, onSave, ...state }: Props) {
  return (
    <Group className={classes.foot} justify="space-between">
      <Text size="sm" c="dimmed" role="status">
        {footLine(state)}
      </Text>
      <Group gap="xs">
        <Button variant="default" loading={isSaving} onClick={onSave}>
          {text.saveDraft}
        </Button>
        <Button type="submit">{isProposal ? approvalText.request : text.publish}</Button>
      </Group>
    </Group>
  )
}

type State = Pick<Props, 'isHashing' | 'isUploading' | 'isInvalid' | 'issue'>

function footLine({ isHashing, isUploading, isInvalid, issue }: State): string {
  if (issue !== undefined) return issue
  if (isHashing) return text.hashing
  if (isUploading) return text.uploading
  return isInvalid ? text.faults : ''
}
