import { Button, Code, Group, Stack, Table, Text, TextInput } from '@mantine/core'
import { IconCircleCheck } from '@tabler/icons-react'
import { type FormEvent, type ReactNode, useState } from 'react'
import { showInvisible } from '../../../shared/basics/visible.ts'
import {
  type CodeRequest,
  TypedCode,
  writeCode,
} from '../../../shared/console/people/sign-in-codes.ts'
import { accountClient } from '../../bridge/browser/account-client.ts'
import { ErrorNotice, Notice, Panel, PlainButton } from '../../components/blocks.tsx'
import { useChange } from '../../components/change/use-change.ts'
import { PageHeader } from '../../components/page-header.tsx'
import { When } from '../../components/text/words.tsx'
import { text } from './strings.ts'

const words = text.commandLine

/** Where a person confirms that a command line signs in as them. In browsers only. */
export function Component() {
  const [request, setRequest] = useState<CodeRequest>()
  const [outcome, setOutcome] = useState<'confirmed' | 'denied'>()
  return (
    <>
      <PageHeader title={words.title} description={words.description} />
      {outcome !== undefined && (
        <Notice
          icon={IconCircleCheck}
          role="status"
          title={words.outcome[outcome].title}
          color="tide"
        >
          {words.outcome[outcome].next}
        </Notice>
      )}
      {outcome === undefined && request === undefined && <CodeForm onFound={setRequest} />}
      {outcome === undefined && request !== undefined && (
        <CodeRequestPanel
          request={request}
          onDecided={(confirmed) => setOutcome(confirmed ? 'confirmed' : 'denied')}
          onLeave={() => setRequest(undefined)}
        />
      )}
    </>
  )
}

function CodeForm({ onFound }: { readonly onFound: (request: CodeRequest) => void }) {
  const [code, setCode] = useState('')
  const find = useChange(accountClient.own.signInCode.mutate, {
    failed: words.notFound,
    onAnswer: onFound,
  })
  const send = (event: FormEvent) => {
    event.preventDefault()
    find.send({ code })
  }
  return (
    <Panel title={words.enter}>
      <form onSubmit={send}>
        <Stack gap="md" maw={420}>
          <Text size="sm">{words.enterHint}</Text>
          <TextInput
            label={words.code}
            placeholder={words.codeForm}
            autoComplete="one-time-code"
            autoCapitalize="characters"
            spellCheck={false}
            maxLength={TypedCode.maxLength ?? undefined}
            value={code}
            onChange={(event) => setCode(event.currentTarget.value)}
          />
          <ErrorNotice error={find.error} title={words.notFound} />
          <Group>
            <Button type="submit" loading={find.isPending} disabled={code.trim() === ''}>
              {words.continue}
            </Button>
          </Group>
        </Stack>
      </form>
    </Panel>
  )
}

interface Props {
  readonly request: CodeRequest
  readonly onDecided: (confirmed: boolean) => void
  readonly onLeave: () => void
}

async function decided(input: { readonly code: string; readonly confirmed: boolean }) {
  await accountClient.own.decideSignInCode.mutate(input)
  return input.confirmed
}

/** Shows what asks to sign in, and lets the person decide. */
function CodeRequestPanel({ request, onDecided, onLeave }: Props) {
  const { userCode: code, computer, address, isOwnAddress, createdAt } = request
  const { managesPeople = false } = request
  const decide = useChange(decided, { failed: words.notDecided, onAnswer: onDecided })
  const seenAddress = (
    <>
      {address}
      <Text size="xs" c={isOwnAddress ? 'dimmed' : 'red'}>
        {isOwnAddress ? words.ownAddress : words.otherAddress}
      </Text>
    </>
  )
  const facts: readonly (readonly [name: string, value: ReactNode])[] = [
    [words.code, <Code key="code">{writeCode(code)}</Code>],
    [words.computer, showInvisible(computer)],
    [words.address, seenAddress],
    [words.access, managesPeople ? words.withPeople : words.withoutPeople],
    [words.asked, <When key="asked" at={createdAt} />],
  ]
  return (
    <Panel title={words.confirmTitle(showInvisible(computer))}>
      <Stack gap="md" maw={560}>
        <Text size="sm">{words.effect}</Text>
        <Table variant="vertical" aria-label={words.details}>
          <Table.Tbody>
            {facts.map(([name, value]) => (
              <Table.Tr key={name}>
                <Table.Th>{name}</Table.Th>
                <Table.Td>{value}</Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
        <Text size="sm">{words.warning}</Text>
        <ErrorNotice error={decide.error} title={words.notDecided} />
        <Group justify="space-between">
          <Button variant="subtle" disabled={decide.isPending} onClick={onLeave}>
            {words.otherCode}
          </Button>
          <Group>
            <PlainButton
              disabled={decide.isPending}
              onClick={() => decide.send({ code, confirmed: false })}
            >
              {words.deny}
            </PlainButton>
            <Button
              loading={decide.isPending}
              onClick={() => decide.send({ code, confirmed: true })}
            >
              {words.confirm}
            </Button>
          </Group>
        </Group>
      </Stack>
    </Panel>
  )
}
