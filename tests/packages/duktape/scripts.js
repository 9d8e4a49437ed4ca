//8<-- numbers
print(0.1 + 0.2, 1 / 3, 1e21, 123456789012345680000, -0, 5e-324, NaN, 1 / 0);
print((255).toString(16), (0.5).toString(2), (1234.5678).toFixed(2));
print(Math.sin(1), Math.pow(2, 0.5), Math.atan2(1, 2), Math.exp(1));
print(parseInt('077'), parseFloat('3.25abc'), Number('0x1f'), ~~-7.9, 7 >>> 1);
for (var i = 0, sum = 0; i < 20000; i++) sum += i % 7 * 1.5;
print(sum);
//8<-- strings
var words = 'the quick brown fox jumps over the lazy dog'.split(' ');
print(words.sort().reverse().join(','), words.map(function (w) {
    return w.length;
}));
print('a1b22c333'.replace(/(\d+)/g, function (all, digits) {
    return '<' + digits.length + '>';
}));
print(/^(\w+)\s(?=f)(\w+)/.exec('hello foo bar'), '\u00e4\u20ac'.length);
print(JSON.stringify({a: [1, 2, {b: null}], c: 'x"y', d: undefined}),
      JSON.parse('{"k":[true,false,1e3]}').k[2]);
//8<-- closures
function counter() { var n = 0; return {next: function () { return ++n; }}; }
var a = counter(), b = counter();
a.next(); a.next();
print(a.next(), b.next());
function fib(n) { return n < 2 ? n : fib(n - 1) + fib(n - 2); }
print(fib(18));
try { null.x; } catch (e) { print(e instanceof TypeError, e.message); }
try { (function f() { f(); })(); } catch (e) { print(e instanceof RangeError); }
var order = [];
outer: for (var i in {x: 1, y: 2, z: 3}) {
    for (var j = 0; j < 3; j++) {
        if (j == 2) continue outer;
        if (i == 'z') break outer;
        order.push(i + j);
    }
}
print(order);
var proto = {get twice() { return this.v * 2; }}, o = Object.create(proto);
o.v = 21;
print(o.twice, Object.keys(o), 'twice' in o);
//8<-- typed
var bytes = new Uint8Array(16), view = new DataView(bytes.buffer);
view.setFloat64(0, Math.PI, true);
view.setInt16(8, -2, false);
print(Array.prototype.join.call(bytes, ' '));
var list = [];
for (var i = 0; i < 3000; i++) list.push(i * 7919 % 3001);
list.sort(function (x, y) { return x - y; });
print(list[0], list[1500], list[2999]);
