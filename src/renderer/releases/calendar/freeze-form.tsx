import { SimpleGrid, TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { PlanCalendar } from '../../../shared/console/releases/plans.ts'
import { useAccess } from '../../bridge/access.ts'
import { server, serverClient } from '../../bridge/clients.ts'
import { useChange } from '../../components/change/use-change.ts'
import type { DialogProps } from '../../components/dialog/dialog.tsx'
import { DialogForm } from '../../components/dialog/dialog-form.tsx'
import { appChoices, SearchableSelect } from '../../components/list/searchable-select.tsx'
import { isoDay, ownTimeZone, TIME_ZONES } from '../../components/text/time.ts'
import { PlainField } from '../../components/text-fields.tsx'
import { text } from './strings.ts'

type Props = Pick<DialogProps, 'onClose'> & Pick<PlanCalendar, 'freezes'>

/** Adds days on which no plan of an app applies a step. */
export function FreezeForm({ freezes, onClose }: Props) {
  const { may } = useAccess()
  const names = useQuery(server.apps.names.queryOptions())
  const apps = (names.data ?? []).filter(
    ({ ref, archived }) => !archived && may('release_manager', ref),
  )
  const [chosen, setChosen] = useState('')
  const [name, setName] = useState('')
  const [firstDay, setFirstDay] = useState(() => isoDay(Date.now()))
  const [lastDay, setLastDay] = useState(firstDay)
  const [timeZone, setTimeZone] = useState(ownTimeZone)
  const app = chosen || (apps[0]?.ref ?? '')
  // As they were when the form opened: what others add meanwhile is not lost.
  const [known] = useState(freezes)
  const seen = known.find((each) => each.app === app)?.freezes ?? []
  const change = useChange(serverClient.apps.setFreezes.mutate, {
    done: text.added(app),
    failed: text.notAdded(app),
    onDone: onClose,
  })
  const isComplete = app !== '' && firstDay !== '' && lastDay !== ''
  const freeze = { name: name.trim(), firstDay, lastDay, timeZone }
  return (
    <DialogForm
      action={text.addFreeze}
      change={change}
      valid={isComplete && firstDay <= lastDay}
      onSubmit={() => change.send({ app, freezes: [...seen, freeze], seen: [...seen] })}
    >
      {(tried) => (
        <>
          <SearchableSelect
            label={text.app}
            required
            value={app}
            choices={appChoices(apps)}
            onChange={setChosen}
          />
          <TextInput
            label={text.name}
            description={text.nameHint}
            maxLength={100}
            value={name}
            onChange={({ currentTarget }) => setName(currentTarget.value)}
          />
          <SimpleGrid cols={2} spacing="md">
            <PlainField
              type="date"
              required
              label={text.firstDay}
              value={firstDay}
              error={tried && firstDay === '' && text.required}
              onChange={setFirstDay}
            />
            <PlainField
              type="date"
              required
              label={text.lastDay}
              value={lastDay}
              error={lastDayIssue(firstDay, lastDay, tried)}
              onChange={setLastDay}
            />
          </SimpleGrid>
          <SearchableSelect
            label={text.timeZone}
            required
            value={timeZone}
            choices={TIME_ZONES}
            onChange={setTimeZone}
          />
        </>
      )}
    </DialogForm>
  )
}

function lastDayIssue(firstDay: string, lastDay: string, tried: boolean): string | undefined {
  if (lastDay === '') return tried ? text.required : undefined
  return firstDay <= lastDay ? undefined : text.lastBeforeFirst
}
