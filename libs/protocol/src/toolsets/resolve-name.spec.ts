import { visible } from '../testing/tools';
import { resolveName } from '.';

describe('a name that the model sent', () => {
  const tools = ['read_file', 'get-by-id', 'get_by_id', 'Probe-Write', 'kelvin'].map((name) => visible(name));
  const resolved = (name: string) => {
    const resolution = resolveName(name, tools);
    return resolution.status === 'resolved'
      ? `${resolution.how} ${resolution.tool.name}`
      : resolution.candidates;
  };

  it.each([
    ['read_file', 'exact read_file'],
    ['get-by-id', 'exact get-by-id'],
    ['get_by_id', 'exact get_by_id'],
    ['READ-FILE', 'folded read_file'],
    ['probe_write', 'folded Probe-Write'],
    ['functions.read_file', 'namespaced read_file'],
    ['functions.Read-File', 'namespaced read_file'],
    ['default_api.get-by-id', 'namespaced get-by-id'],
  ])('%s is %s', (name, wanted) => {
    expect(resolved(name)).toBe(wanted);
  });

  it('is unknown where folding leaves two, and the two are told', () => {
    expect(resolved('Get_By_Id')).toEqual(['get-by-id', 'get_by_id']);
    expect(resolved('functions.Get_By_Id')).toEqual(['get-by-id', 'get_by_id']);
  });

  it.each([
    '',
    'read file',
    'read_fil',
    ' read_file',
    'readFile',
    'constructor',
    '__proto__',
    'toString',
    '\u212aelvin',
    'github.read_file',
    'functions/read_file',
    'functions.functions.read_file',
    'functions.',
    'functions.constructor',
    'read_file.functions',
  ])('is never guessed at: %j is unknown', (name) => {
    expect(resolved(name)).toEqual([]);
  });
});
