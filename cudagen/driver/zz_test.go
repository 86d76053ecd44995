package driver
import "testing"
func TestZZ(t *testing.T){
 s,err:=Load()
 t.Log(err); t.Log("\n"+s.Search.String())
 t.Log(s.CompilerErr, s.BLASErr)
 if s.Compiler!=nil{
  t.Log(s.Compiler.Version()); t.Log(s.Compiler.Architectures())
  c,l,err:=s.Compiler.Compile(Source{Name:"a.cu",Text:"#include \"h.h\"\nextern \"C\" __global__ void k(float*x){x[threadIdx.x]=F;}",Headers:map[string]string{"h.h":"#define F 2.f\n"},SM:90,Options:[]string{"--std=c++17"}})
  t.Log(len(c),l,err)
  _,_,err=s.Compiler.Compile(Source{Name:"a.cu",Text:"wrong",SM:90})
  t.Log(err)
 }
 if s.BLAS!=nil { t.Log(s.BLAS.Create()) }
}
