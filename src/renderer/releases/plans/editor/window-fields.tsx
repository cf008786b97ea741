import { Checkbox, Fieldset, Stack, TextInput } from '@mantine/core'
import { IconPlus, IconTrash } from '@tabler/icons-react'
import { WEEKDAYS } from '../../../../shared/plans/plan.ts'
import { SearchableSelect } from '../../../components/list/searchable-select.tsx'
import { IconButton, SmallButton } from '../../../components/small-button.tsx'
import { Quiet } from '../../../components/text/quiet.tsx'
import { WEEKDAY_NAMES } from '../strings.ts'
import { TIME_ZONES } from '../time-zones.ts'
import { issueAt, newWindow, type PlanDraft, type PlanIssues, type WindowDraft } from './draft.ts'
import classes from './editor.module.css'
import { text } from './strings.ts'

interface Props {
  readonly value: PlanDraft
  readonly issues: PlanIssues
  readonly onChange: (parts: Pick<PlanDraft, 'windows'> | Pick<PlanDraft, 'timeZone'>) => void
}

/** When steps are applied: at any time, or in windows of one time zone. */
export function WindowFields({ value, issues, onChange }: Props) {
  const { windows, timeZone } = value
  const change = (changed: WindowDraft) =>
    onChange({ windows: windows.map((each) => (each.id === changed.id ? changed : each)) })
  return (
    <Fieldset legend={text.windows} variant="unstyled">
      <Stack gap="sm">
        <Quiet>{windows.length === 0 ? text.anyTime : text.inWindows}</Quiet>
        {windows.map((window, index) => (
          <OneWindow
            key={window.id}
            number={index + 1}
            value={window}
            issues={issues}
            onChange={change}
            onRemove={() => onChange({ windows: windows.filter(({ id }) => id !== window.id) })}
          />
        ))}
        {windows.length > 0 && (
          <SearchableSelect
            label={text.timeZone}
            w={280}
            value={timeZone}
            choices={TIME_ZONES}
            error={issueAt(issues, 'timeZone')}
            onChange={(zone) => onChange({ timeZone: zone })}
          />
        )}
        <div>
          <SmallButton
            icon={IconPlus}
            onClick={() => onChange({ windows: [...windows, newWindow()] })}
          >
            {text.addWindow}
          </SmallButton>
        </div>
      </Stack>
    </Fieldset>
  )
}

interface WindowProps {
  readonly number: number
  readonly value: WindowDraft
  readonly issues: PlanIssues
  readonly onChange: (window: WindowDraft) => void
  readonly onRemove: () => void
}

function OneWindow({ number, value, issues, onChange, onRemove }: WindowProps) {
  const path = `windows.${number - 1}`
  return (
    <fieldset aria-label={text.window(number)} className={classes.window}>
      <Checkbox.Group
        label={text.days}
        value={value.days}
        error={issueAt(issues, `${path}.days`)}
        onChange={(chosen) =>
          onChange({ ...value, days: WEEKDAYS.filter((day) => chosen.includes(day)) })
        }
      >
        <div className={classes.days}>
          {WEEKDAYS.map((day) => (
            <Checkbox key={day} value={day} label={WEEKDAY_NAMES[day]} />
          ))}
        </div>
      </Checkbox.Group>
      <TextInput
        label={text.from}
        type="time"
        value={value.from}
        error={issueAt(issues, `${path}.from`)}
        onChange={({ currentTarget }) => onChange({ ...value, from: currentTarget.value })}
      />
      <TextInput
        label={text.to}
        type="time"
        value={value.to}
        error={issueAt(issues, `${path}.to`)}
        onChange={({ currentTarget }) => onChange({ ...value, to: currentTarget.value })}
      />
      <IconButton
        icon={IconTrash}
        className={classes.remove ?? ''}
        color="gray"
        aria-label={text.removeWindow(number)}
        onClick={onRemove}
      />
    </fieldset>
  )
}
