import { Fieldset, Group, Stack, Text, Textarea } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import { newId } from '../../shared/basics/new-id.ts'
import { DeviceId } from '../../shared/names.ts'
import { EarlyAccess, MAX_EARLY_TARGETS } from '../../shared/releases/channel.ts'
import { SmallButton } from '../components/blocks.tsx'
import { entriesOf, sentence } from '../components/text/sentence.ts'
import { Small } from '../components/text/words.tsx'
import {
  NO_TARGETS,
  newCondition,
  readTargets,
  type TargetsDraft,
  draftOf as targetsDraftOf,
} from '../releases/targets/draft.ts'
import { TargetsEditor } from '../releases/targets/targets-editor.tsx'
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

/** Targets of the list in the form. */
interface TargetsRow {
  readonly id: string
  readonly draft: TargetsDraft
}

/** An early access list in the form. */
interface EarlyAccessDraft {
  /** As typed: one ID per line. */
  readonly deviceIds: string
  readonly rows: readonly TargetsRow[]
}

type EarlyAccessRead =
  | { readonly ok: true; readonly list: EarlyAccess }
  /** What is wrong with the IDs, and with the targets together; what is wrong with one row is shown in it. */
  | {
      readonly ok: false
      readonly deviceIds?: string | undefined
      readonly targets?: string | undefined
    }

/** Returns a list as it is edited. */
export function draftOf({ deviceIds, targets }: EarlyAccess): EarlyAccessDraft {
  const rows = targets.map((each) => ({ id: newId(), draft: targetsDraftOf(each) }))
  return { deviceIds: deviceIds.join('\n'), rows }
}

/** Returns targets with one label to fill in. */
function newRow(): TargetsRow {
  return { id: newId(), draft: { ...NO_TARGETS, labels: [newCondition()] } }
}

/** Reads the form as a list, or finds what is wrong with it. */
export function readEarlyAccess({ deviceIds, rows }: EarlyAccessDraft): EarlyAccessRead {
  const ids = entriesOf(deviceIds)
  const wrong = ids.find((id) => !DeviceId.safeParse(id).success)
  if (wrong !== undefined) return { ok: false, deviceIds: strings.earlyAccess.notAnId(wrong) }
  const targets = rows.flatMap(({ draft }) => {
    const read = readTargets(draft)
    return read.ok ? [read.targets] : []
  })
  if (targets.length < rows.length) return { ok: false }
  const result = EarlyAccess.safeParse({ deviceIds: [...new Set(ids)], targets })
  if (result.success) return { ok: true, list: result.data }
  const [issue] = result.error.issues
  const reason = sentence(issue?.message ?? '')
  return issue?.path[0] === 'deviceIds'
    ? { ok: false, deviceIds: reason }
    : { ok: false, targets: reason }
}
