import { Button, Group, Stack } from '@mantine/core'
import type { DeliveryItem } from '../../shared/console/webhooks.ts'
import { Dialog, useLast } from '../components/dialog/dialog.tsx'
import { DataTable } from '../components/list/data-table.tsx'
import { CodeBlock } from '../components/text/code-block.tsx'
import { When } from '../components/text/when.tsx'
import { eventName, outcomeInWords, text } from './strings.ts'
import classes from './webhooks.module.css'

interface Props {
  /** The delivery in question; the dialog is closed without. */
  readonly delivery: DeliveryItem | undefined
  readonly onClose: () => void
}

/** What was sent, and what came back at each attempt. */
export function DeliveryDialog({ delivery, onClose }: Props) {
  const shown = useLast(delivery)
  if (shown === undefined) return null
  const { attemptColumns: columns } = text
  return (
    <Dialog
      opened={delivery !== undefined}
      onClose={onClose}
      title={text.deliveryTitle(eventName(shown.type))}
      size="lg"
    >
      <Stack>
        {shown.attempts.length > 0 && (
          <DataTable
            label={text.attempts}
            rows={shown.attempts}
            keyOf={({ at }) => at}
            columns={[
              { name: columns.time, cell: ({ at }) => <When at={at} /> },
              { name: columns.outcome, cell: outcomeInWords },
              { name: columns.duration, cell: (attempt) => text.duration(attempt.milliseconds) },
              { name: columns.body, className: classes.body, cell: ({ response }) => response },
            ]}
          />
        )}
        <CodeBlock title={text.payload} text={indented(shown.payload)} />
        <Group justify="end">
          <Button onClick={onClose}>{text.close}</Button>
        </Group>
      </Stack>
    </Dialog>
  )
}

function indented(json: string): string {
  return JSON.stringify(JSON.parse(json), null, 2)
}
