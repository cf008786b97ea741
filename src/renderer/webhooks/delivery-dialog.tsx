import { Button, Group, Stack, Table } from '@mantine/core'
import type { DeliveryItem } from '../../shared/console/webhooks.ts'
import { Dialog, useLast } from '../components/dialog/dialog.tsx'
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
  return (
    <Dialog
      opened={delivery !== undefined}
      onClose={onClose}
      title={text.deliveryTitle(eventName(shown.type))}
      size="lg"
    >
      <Stack>
        {shown.attempts.length > 0 && (
          <Table aria-label={text.attempts}>
            <Table.Thead>
              <Table.Tr>
                <Table.Th>{text.attemptColumns.time}</Table.Th>
                <Table.Th>{text.attemptColumns.outcome}</Table.Th>
                <Table.Th>{text.attemptColumns.duration}</Table.Th>
                <Table.Th>{text.attemptColumns.body}</Table.Th>
              </Table.Tr>
            </Table.Thead>
            <Table.Tbody>
              {shown.attempts.map((attempt) => (
                <Table.Tr key={attempt.at}>
                  <Table.Td>
                    <When at={attempt.at} />
                  </Table.Td>
                  <Table.Td>{outcomeInWords(attempt)}</Table.Td>
                  <Table.Td>{text.duration(attempt.milliseconds)}</Table.Td>
                  <Table.Td className={classes.body}>{attempt.response}</Table.Td>
                </Table.Tr>
              ))}
            </Table.Tbody>
          </Table>
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
