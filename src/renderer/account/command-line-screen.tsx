import { Button, Group, Stack, Text, TextInput } from '@mantine/core'
import { IconCircleCheck } from '@tabler/icons-react'
import { type FormEvent, useState } from 'react'
import { type CodeRequest, TypedCode } from '../../shared/console/sign-in-codes.ts'
import { accountClient } from '../bridge/browser/account-client.ts'
import { ErrorNotice } from '../components/change/error-notice.tsx'
import { useChange } from '../components/change/use-change.ts'
import { Notice } from '../components/notice.tsx'
import { PageHeader } from '../components/page-header.tsx'
import { Panel } from '../components/panel.tsx'
import { CodeRequestPanel } from './code-request-panel.tsx'
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
    failed: () => words.notFound,
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
