import { Button } from '../../components/button.tsx';
import { Copy } from '../../components/copy.tsx';
import { Icon } from '../../components/icon.tsx';
import { Keys, modifier } from '../../components/keys.tsx';
import { Specimen, State } from './specimen.tsx';

const LOOKS = ['primary', 'secondary', 'plain', 'danger'] as const;

export function Buttons() {
  return (
    <>
      <Specimen of={['Button']}>
        {LOOKS.map((look) => (
          <State key={look} name={look}>
            <Button look={look}>Normal</Button>
            <Button look={look} size="small">
              Small
            </Button>
            <Button look={look}>
              <Icon name="plus" />
              With an icon
            </Button>
            <Button look={look} isBusy>
              Busy
            </Button>
            <Button look={look} disabled>
              Disabled
            </Button>
          </State>
        ))}
      </Specimen>
      <Specimen of={['Copy']}>
        <State name="ready; copied when pressed">
          <Copy text="https://mcp.example.com/mcp" name="the URL" />
        </State>
      </Specimen>
      <Specimen of={['Keys']}>
        <State name="one, and two">
          <Keys keys={['?']} />
          <Keys keys={[modifier, 'K']} />
        </State>
      </Specimen>
    </>
  );
}
