import { Fieldset, Group, Stack, Text, Textarea } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import { MAX_EARLY_TARGETS } from '../../shared/channel.ts'
import { SmallButton } from '../components/small-button.tsx'
import { Small } from '../components/text/quiet.tsx'
import { TargetsEditor } from '../releases/targets/targets-editor.tsx'
import { type EarlyAccessDraft, type EarlyAccessRead, newRow } from './early-access-draft.ts'
import { text as strings } from './strings.ts'

const text = strings.earlyAccess

interface Props {
  readonly draft: EarlyAccessDraft
  readonly read: EarlyAccessRead
  /** Shows what is missing beside the fields. */
  readonly showIssues: boolean
  readonly onChange: (draft: EarlyAccessDraft) => void
}

/** The early access list of a channel: device IDs, and targets of which a device matches one. */
export function EarlyAccessFields({ draft, read, showIssues, onChange }: Props) {
  const { rows } = draft
  const faults = read.ok ? undefined : read
  return (
    <Fieldset legend={text.title} variant="unstyled">
      <Stack gap="md">
        <Small>{text.hint}</Small>
        <Textarea
          label={text.deviceIds}
          description={text.deviceIdsHint}
          value={draft.deviceIds}
          onChange={(event) => onChange({ ...draft, deviceIds: event.currentTarget.value })}
          error={showIssues && faults?.deviceIds}
          autosize
          minRows={1}
          maxRows={8}
          spellCheck={false}
        />
        {rows.map(({ id, draft: targets }, index) => (
          <Fieldset key={id} legend={text.row(index + 1)}>
            <Stack gap="sm">
              <TargetsEditor
                value={targets}
                showIssues={showIssues}
                onChange={(next) =>
                  onChange({
                    ...draft,
                    rows: rows.map((row) => (row.id === id ? { id, draft: next } : row)),
                  })
                }
              />
              <Group>
                <SmallButton
                  onClick={() => onChange({ ...draft, rows: rows.filter((row) => row.id !== id) })}
                >
                  {text.removeRow(index + 1)}
                </SmallButton>
              </Group>
            </Stack>
          </Fieldset>
        ))}
        {showIssues && faults?.targets !== undefined && (
          <Text size="sm" c="var(--mantine-color-error)" role="alert">
            {faults.targets}
          </Text>
        )}
        <Group>
          <SmallButton
            icon={IconPlus}
            disabled={rows.length >= MAX_EARLY_TARGETS}
            onClick={() => onChange({ ...draft, rows: [...rows, newRow()] })}
          >
            {text.addRow}
          </SmallButton>
        </Group>
      </Stack>
    </Fieldset>
  )
}
