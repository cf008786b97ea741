import { Alert, Button, Stack, Text } from '@mantine/core'
import { IconAlertTriangle } from '@tabler/icons-react'
import { actorInWords } from '../audit/entry-strings.ts'
import { changesOf } from '../audit/field-diff.ts'
import { When } from '../components/when.tsx'
import classes from './apps.module.css'
import type { PolicyChange } from './policy.ts'
import { text } from './strings.ts'

interface Props {
  /** Newest first. */
  readonly changes: readonly PolicyChange[]
  readonly onReview: () => void
}

/** Says that a policy changed while its form was open: who changed it, when, from what to what. */
export function PolicyChangedNotice({ changes, onReview }: Props) {
  return (
    <Alert
      role="alert"
      variant="light"
      color="yellow"
      icon={<IconAlertTriangle aria-hidden="true" />}
      title={text.policy.changed}
    >
      <Stack gap="xs" align="start">
        {changes.length > 0 && (
          <ul className={classes.changes}>
            {changes.map(({ id, at, actor, before, after }) => (
              <li key={id}>
                <Text size="xs" c="dimmed">
                  {actorInWords(actor)}, <When at={at} />
                </Text>
                {changesOf(before, after).map((part) => (
                  <Text key={part.name} size="sm" className={classes.wrap}>
                    {text.policy.change(part.name, part.before, part.after)}
                  </Text>
                ))}
              </li>
            ))}
          </ul>
        )}
        <Text size="sm">{text.policy.changedHint}</Text>
        <Button variant="default" size="xs" onClick={onReview}>
          {text.policy.review}
        </Button>
      </Stack>
    </Alert>
  )
}
